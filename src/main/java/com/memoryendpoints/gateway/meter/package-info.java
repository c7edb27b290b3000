/**
 * What the gateway counts and times.
 *
 * <p>{@link com.memoryendpoints.gateway.meter.Meters} holds every metric name once, on one registry
 * that the whole process shares. Meters are looked up when a verticle starts; recording is a plain
 * call on the meter, with no lock and no look-up. Units are base units in the name ({@code
 * _seconds}, {@code _bytes}), counters end in {@code _total}, buckets are explicit so that pods can
 * be added up, and every label has a small closed set of values: a route, a statement, a problem.
 * Never a tenant, a name or an id.
 */
@NullMarked
package com.memoryendpoints.gateway.meter;

import org.jspecify.annotations.NullMarked;
