package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.config.CannotStart;
import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the embedded server's programs as a user that PostgreSQL accepts. It refuses to run as root,
 * so root enters a user namespace in which it is nobody; where a container forbids that, the
 * programs run under the number of nobody, to whom the files are given.
 */
final class PostgresCommands {
  private static final int ROOT = 0;
  private static final int NOBODY = 65534;
  private static final List<String> NAMESPACE = List.of("unshare", "-U");

  private final PostgresBinaries binaries;
  private final Path directory;
  private final List<String> prefix;
  private final int owner;

  private PostgresCommands(
      PostgresBinaries binaries, Path directory, List<String> prefix, int owner) {
    this.binaries = binaries;
    this.directory = directory;
    this.prefix = prefix;
    this.owner = owner;
  }

  /**
   * For this process's user.
   *
   * @param directory where the programs are started; must be readable
   * @param data the data directory, whose owner is kept when there is one
   */
  static PostgresCommands of(PostgresBinaries binaries, Path directory, Path data) {
    int self = (int) new UnixSystem().getUid();
    if (self != ROOT) {
      return new PostgresCommands(binaries, directory, List.of(), self);
    }
    int owner = ownerOf(data);
    if (owner == ROOT && succeeds(directory, NAMESPACE)) {
      return new PostgresCommands(binaries, directory, NAMESPACE, ROOT);
    }
    int other = owner == ROOT ? NOBODY : owner;
    List<String> asOther =
        List.of(
            "setpriv",
            "--reuid=" + other,
            "--regid=" + other,
            "--clear-groups",
            "--inh-caps=+dac_override",
            "--ambient-caps=+dac_override",
            // Else access() forgets that capability, and what root's home holds is out of reach.
            "--securebits=+no_setuid_fixup");
    if (succeeds(directory, asOther)) {
      return new PostgresCommands(binaries, directory, asOther, other);
    }
    throw CannotStart.misconfigured(
        "PostgreSQL does not run as root, and neither unshare nor setpriv can give it another user"
            + " here. Start the gateway as another user, or set database.uri to a server of your"
            + " own.");
  }

  /** Gives a directory of this process to the user that the server runs as. */
  void give(Path path) throws IOException {
    if (ownerOf(path) != owner) {
      Files.setAttribute(path, "unix:uid", owner);
    }
  }

  /** Runs a program to its end. */
  Outcome run(String program, List<String> arguments) {
    List<String> command = new ArrayList<>(prefix);
    command.add(binaries.program(program));
    command.addAll(arguments);
    return run(directory, command);
  }

  /** Sends a signal by the shell, because Java knows TERM and KILL only. */
  void signal(String name, long pid) {
    run(directory, List.of("sh", "-c", "kill -" + name + " " + pid));
  }

  /**
   * How a program ended.
   *
   * @param output what it wrote, standard error included
   */
  record Outcome(int exitCode, String output) {
    boolean ok() {
      return exitCode == 0;
    }
  }

  private static boolean succeeds(Path directory, List<String> prefix) {
    List<String> command = new ArrayList<>(prefix);
    command.add("true");
    return run(directory, command).ok();
  }

  private static Outcome run(Path directory, List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("PG") || name.equals("LANG"));
    builder.environment().put("LC_ALL", "C");
    builder.redirectErrorStream(true);
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return new Outcome(process.waitFor(), output);
    } catch (IOException e) {
      return new Outcome(127, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Outcome(130, "interrupted");
    }
  }

  private static int ownerOf(@Nullable Path path) {
    try {
      return path == null ? ROOT : (int) Files.getAttribute(path, "unix:uid");
    } catch (IOException e) {
      return ROOT;
    }
  }
}
