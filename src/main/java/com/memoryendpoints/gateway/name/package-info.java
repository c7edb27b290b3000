/**
 * What an agent is called: pure text, no I/O, safe on the event loop.
 *
 * <p>A display name comes in as given; an {@link com.memoryendpoints.gateway.name.AgentName} goes
 * out with two forms: the canonical name, which is shown, returned and compared, and the name key,
 * which uniqueness is on and which is never shown, logged or returned. {@link
 * com.memoryendpoints.gateway.name.Names} is the pipeline: RFC 8265 on ICU4J, the identifier
 * profile and the confusables of UTS #39, with one file for each kind of step. Nothing else of the
 * gateway knows ICU4J.
 */
@NullMarked
package com.memoryendpoints.gateway.name;

import org.jspecify.annotations.NullMarked;
