/**
 * What an agent is called: pure text, no I/O, safe on the event loop.
 *
 * <p>A display name comes in as given; an {@link com.memoryendpoints.gateway.name.AgentName} goes
 * out with two forms: the canonical name, which is shown, returned and compared, and the name key,
 * which uniqueness is on and which is never shown, logged or returned. Only what is certain is
 * accepted: ASCII letters and digits in words joined over single spaces. Everything else is refused
 * with a reason and its first code point.
 */
@NullMarked
package com.memoryendpoints.gateway.name;

import org.jspecify.annotations.NullMarked;
