package com.memoryendpoints.gateway.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the gateway keeps what outlives it when nothing else is said: {@code .lease-gateway} in the
 * home directory of the user that runs it, never in the source tree.
 *
 * @param home {@code HOME}, else the home directory of the user database; absent where neither
 *     names an absolute path, as in a container that runs under a number without a name
 */
record StateHome(@Nullable Path home) {
  private static final String NAME = ".lease-gateway";

  static StateHome of(Map<String, String> environment, String userHome) {
    for (String candidate : new String[] {environment.getOrDefault("HOME", ""), userHome}) {
      if (candidate.startsWith("/") && candidate.length() > 1) {
        return new StateHome(Path.of(candidate).normalize());
      }
    }
    return new StateHome(null);
  }

  /** The state directory's default, absent without a home. */
  @Nullable Path directory() {
    return home == null ? null : home.resolve(NAME);
  }

  /**
   * Where programs are unpacked once for every state directory of a user; in the state directory
   * itself where there is no home that can be written.
   */
  Path programs(Path stateDirectory) {
    return home != null && Files.isWritable(home) ? home.resolve(NAME) : stateDirectory;
  }

  /** An absolute path; a leading {@code ~/} is the home directory, as in a shell. */
  Path expand(String text) {
    if (home != null && text.startsWith("~/")) {
      return home.resolve(text.substring(2)).normalize();
    }
    return Path.of(text).toAbsolutePath().normalize();
  }
}
