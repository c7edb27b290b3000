package com.memoryendpoints.gateway.config;

import java.util.List;

/** The configuration cannot be used. It carries every fault, not the first one only: exit 2. */
public final class InvalidConfig extends CannotStart {
  private static final long serialVersionUID = 1L;

  private final List<String> faults;

  InvalidConfig(List<String> faults) {
    super(2, text(faults), null);
    this.faults = List.copyOf(faults);
  }

  /**
   * One line for each fault: the key, what is wrong with it, what is allowed, where it was set. No
   * secret is in it.
   */
  public List<String> faults() {
    return faults;
  }

  private static String text(List<String> faults) {
    String count = faults.size() == 1 ? "a fault" : faults.size() + " faults";
    return "The configuration has " + count + ":\n  " + String.join("\n  ", faults);
  }
}
