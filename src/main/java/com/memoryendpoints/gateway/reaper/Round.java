package com.memoryendpoints.gateway.reaper;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Where a reaper is on its way round a table, in blocks. It begins somewhere, so that reapers do
 * not walk in step, takes a bounded part of the table a pass, and goes on where it stopped.
 */
final class Round {
  /** A range of blocks: the first, and the one to stop before. */
  record Blocks(long from, long until) {}

  private final long rangeBlocks;
  private final long passBlocks;
  private long total;
  private long next = -1;
  private long left;

  /**
   * Before the first block.
   *
   * @param rangeBlocks blocks of one range
   * @param passBlocks blocks of one pass, never more than once round
   */
  Round(long rangeBlocks, long passBlocks) {
    this.rangeBlocks = rangeBlocks;
    this.passBlocks = passBlocks;
  }

  /** Begins a pass over a table that has so many blocks now. */
  void begin(long blocks) {
    if (next < 0 && blocks > 0) {
      next = ThreadLocalRandom.current().nextLong(blocks);
    }
    total = blocks;
    left = Math.min(passBlocks, blocks);
    next = next >= blocks ? 0 : next;
  }

  /** Whether this pass has come to its end. */
  boolean isOver() {
    return left <= 0;
  }

  /** The range to look at now; not to be asked for when the pass is over. */
  Blocks range() {
    return new Blocks(next, Math.min(total, next + Math.min(rangeBlocks, left)));
  }

  /** Everything before this block of the range has been looked at. */
  void reached(long block) {
    left -= block - next;
    next = block >= total ? 0 : block;
  }
}
