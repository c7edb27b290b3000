package com.memoryendpoints.gateway;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What the operator reads of one class, or of all, while this is open. */
public final class TestLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Level least;

  private TestLog(String logger, Level least) {
    this.logger = (Logger) LoggerFactory.getLogger(logger);
    this.least = least;
  }

  /** Listens to a class's logger, which goes on as it was. */
  public static TestLog of(Class<?> logger) {
    return new TestLog(logger.getName(), Level.TRACE).listening();
  }

  /** Listens to every logger, for errors. */
  public static TestLog ofErrors() {
    return new TestLog(org.slf4j.Logger.ROOT_LOGGER_NAME, Level.ERROR).listening();
  }

  private TestLog listening() {
    start();
    logger.addAppender(this);
    return this;
  }

  /** The messages so far. */
  public List<String> lines() {
    return lines;
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (event.getLevel().toInt() >= least.toInt()) {
      lines.add(event.getFormattedMessage());
    }
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    stop();
  }
}
