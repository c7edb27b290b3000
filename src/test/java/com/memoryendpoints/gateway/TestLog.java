package com.memoryendpoints.gateway;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What the operator reads of one class while this is open. */
public final class TestLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;

  private TestLog(Logger logger) {
    this.logger = logger;
  }

  /** Listens to a class's logger, which goes on as it was. */
  public static TestLog of(Class<?> logger) {
    TestLog log = new TestLog((Logger) LoggerFactory.getLogger(logger));
    log.start();
    log.logger.addAppender(log);
    return log;
  }

  /** The messages so far. */
  public List<String> lines() {
    return lines;
  }

  @Override
  protected void append(ILoggingEvent event) {
    lines.add(event.getFormattedMessage());
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    stop();
  }
}
