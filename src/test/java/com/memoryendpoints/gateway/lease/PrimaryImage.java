package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestServer;
import java.util.Map;

/**
 * The data of a primary that was killed, to start copies of: primaries again, or standbys. The
 * primary has granted more after the image was taken: to every copy those grants are lost, though
 * their holders still hold the tokens.
 */
final class PrimaryImage {
  private static final int PAIRS = 5;

  /** What was acknowledged is in the image: the files of a killed server, if not of a machine. */
  private final TestServer image = TestServer.start(Map.of("synchronous_commit", "on"));

  private final TestDatabase database = TestDatabase.on(image);
  private final HighestTokens seen = new HighestTokens();
  private final Round round;

  private static final class Shared {
    static final PrimaryImage IMAGE = new PrimaryImage();
  }

  private PrimaryImage() {
    // What an operator gives to a role that serves but does not own; upkeep takes more.
    database.run(
        "CREATE ROLE gateway LOGIN;"
            + "GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO gateway");
    try (TestPod pod = new TestPod(uri(image), 1, new LeaseSettings(0, false))) {
      round = Round.of(pod, PAIRS);
      round.run(pod, 0).forEach(seen::rise);
    }
    image.kill();
    try (TestServer primary = primary()) {
      grant(primary, seen, 0);
    }
  }

  /** The one that the tests of this JVM share; no process is left of it. */
  static PrimaryImage shared() {
    return Shared.IMAGE;
  }

  /** Every token that was issued before and after the image was taken. */
  HighestTokens seen() {
    return seen.copy();
  }

  /** The image comes up by crash recovery, on its old timeline. */
  TestServer primary() {
    return image.copy();
  }

  /** The image comes up as a standby that follows nobody. */
  TestServer standby() {
    return image.standby();
  }

  /** The image comes up as a standby and is promoted. */
  TestServer promoted() {
    TestServer server = standby();
    server.promote();
    return server;
  }

  /** The migrated database as the superuser sees it on a copy. */
  TestDatabase on(TestServer copy) {
    return database.copiedTo(copy);
  }

  /** The same for a pod, whose role has no more rights than it needs. */
  String uri(TestServer copy) {
    return on(copy).uri().replace("postgres@", "gateway@");
  }

  /** Grants every name with every memory; each token must be higher than all before. */
  void grant(TestServer on, HighestTokens tokens, int epochBase) {
    try (TestPod pod = new TestPod(uri(on), 1, new LeaseSettings(epochBase, false))) {
      grant(pod, tokens);
    }
  }

  /** The same by a pod that is up. */
  void grant(TestPod pod, HighestTokens tokens) {
    for (int shift = 0; shift < PAIRS; shift++) {
      round.run(pod, shift).forEach(tokens::rise);
    }
  }
}
