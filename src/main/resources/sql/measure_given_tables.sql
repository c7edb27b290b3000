-- Lets the planner know how much was given; nobody else looks at temporary tables.
ANALYZE given_agents, given_memories
