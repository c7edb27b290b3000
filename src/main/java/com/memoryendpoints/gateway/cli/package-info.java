/**
 * The command line, and what is done once before anything is served.
 *
 * <p>{@link com.memoryendpoints.gateway.cli.CommandLineOf} reads it: {@code serve}, {@code
 * migrate}, {@code anchor-epoch}, {@code rekey}, {@code import-legacy}, {@code audit-hash}, {@code
 * config}, {@code tenant}, {@code token}. The other classes are the steps of a start in their order
 * - {@link com.memoryendpoints.gateway.cli.Ports}, {@link
 * com.memoryendpoints.gateway.cli.SystemOfRecord}, {@link com.memoryendpoints.gateway.cli.Keys},
 * {@link com.memoryendpoints.gateway.cli.Migration}, {@link
 * com.memoryendpoints.gateway.cli.Welcome} - and {@link com.memoryendpoints.gateway.cli.Started},
 * which undoes them in reverse. Everything here may block: it runs on the main thread or on one of
 * its own, never on an event loop.
 */
@NullMarked
package com.memoryendpoints.gateway.cli;

import org.jspecify.annotations.NullMarked;
