/**
 * Every way the gateway can refuse, in one place.
 *
 * <p>{@link com.memoryendpoints.gateway.problem.Problem} is the whole error taxonomy (RFC 9457), in
 * order of precedence: a request that fails in two ways gets the first. {@link
 * com.memoryendpoints.gateway.problem.Refusal} is one occurrence of a problem. A refusal is not an
 * accident: it has no stack trace, travels as a failed future, and only package {@code http} turns
 * it into bytes.
 */
@NullMarked
package com.memoryendpoints.gateway.problem;

import org.jspecify.annotations.NullMarked;
