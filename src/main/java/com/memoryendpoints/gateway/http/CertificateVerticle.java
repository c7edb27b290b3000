package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.config.CannotStart;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the files of the certificate again and again, by what is in them: they may be replaced,
 * or be links that lead elsewhere from one moment to the next. It reads files, so it has a thread
 * of its own.
 */
public final class CertificateVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateVerticle.class);

  private static final String REPLACED = "Another certificate is shown to new connections.";

  private final Shown shown;
  private String refused = "";

  /** For all servers that show this certificate. */
  public CertificateVerticle(Shown shown) {
    this.shown = shown;
  }

  @Override
  public Future<?> start() {
    vertx.setPeriodic(TimeUnit.SECONDS.toMillis(shown.reloadSeconds()), look -> look());
    return Future.succeededFuture();
  }

  private void look() {
    Certificates found;
    try {
      found = shown.found();
    } catch (CannotStart reason) {
      refuse(String.valueOf(reason.getMessage()), reason);
      return;
    }
    if (shown.is(found)) {
      refused = "";
    } else {
      shown
          .become(found)
          .onSuccess(done -> LOG.info("{} It expires at {}.", REPLACED, found.expiresAt()))
          .onFailure(failure -> refuse("It cannot be shown: " + failure.getMessage(), failure));
    }
  }

  private void refuse(String why, Throwable cause) {
    shown.refused();
    if (!why.equals(refused)) {
      refused = why;
      LOG.warn("The certificate is not replaced, the old one stays. {}", why);
      LOG.debug("not replaced", cause);
    }
  }
}
