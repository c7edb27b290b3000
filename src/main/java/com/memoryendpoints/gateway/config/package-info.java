/**
 * What operators set, and what is fixed.
 *
 * <p>{@link com.memoryendpoints.gateway.config.Config} is read once, before anything is opened,
 * from three layers - the defaults in the jar, the file given with {@code --config}, the
 * environment - and is frozen from then on. A start with a fault in any layer ends before it began,
 * with one list of all faults.
 *
 * <p>{@link com.memoryendpoints.gateway.config.Limits} holds what nobody sets: every bound of the
 * gateway, with its unit, checked against the others when the class is loaded.
 */
@NullMarked
package com.memoryendpoints.gateway.config;

import org.jspecify.annotations.NullMarked;
