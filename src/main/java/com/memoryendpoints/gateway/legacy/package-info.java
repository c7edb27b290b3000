/**
 * Names and memories that were there before this gateway was.
 *
 * <p>{@link com.memoryendpoints.gateway.legacy.LegacyImport} reads the files of an earlier system
 * twice: once whole, to tell every bad line before anything is touched; then into temporary tables,
 * where the database decides, in one transaction, which agent keeps its plain name and which memory
 * its id. Of agents whose names look alike the oldest keeps it, the others are given minted ones.
 * Nothing is held by this: a name is held by a live lease alone. Every row of the files has its
 * line in the {@link com.memoryendpoints.gateway.legacy.Report}. Blocking, by JDBC; a million rows
 * pass through a heap that holds a few hundred.
 */
@NullMarked
package com.memoryendpoints.gateway.legacy;

import org.jspecify.annotations.NullMarked;
