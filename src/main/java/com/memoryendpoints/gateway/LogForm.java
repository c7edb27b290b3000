package com.memoryendpoints.gateway;

import ch.qos.logback.core.PropertyDefinerBase;
import java.io.Console;

/**
 * Names the appender of {@code logback.xml} that suits the reader: {@code text} for a person at a
 * terminal, {@code json} for a collector. Public because Logback creates it by name.
 */
public final class LogForm extends PropertyDefinerBase {
  @Override
  public String getPropertyValue() {
    return onTerminal() ? "text" : "json";
  }

  /** Since Java 22 there is a console without a terminal too, and a method to tell them apart. */
  @SuppressWarnings("SystemConsoleNull")
  private static boolean onTerminal() {
    var console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException olderThanJava22) {
      return true;
    }
  }
}
