package com.memoryendpoints.gateway.db;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The server process that {@code postmaster.pid} in a data directory names.
 *
 * @param handle the process; knows its start, so a later process with the same number is not it
 * @param port where it listens
 */
record Postmaster(ProcessHandle handle, int port) {
  private static final String FILE = "postmaster.pid";
  private static final int PORT_LINE = 3;

  /** The live server of a data directory; nothing when the file is absent or stale. */
  static Optional<Postmaster> of(Path data) {
    List<String> lines = lines(data);
    if (lines.size() <= PORT_LINE) {
      return Optional.empty();
    }
    try {
      int port = Integer.parseInt(lines.get(PORT_LINE).strip());
      return ProcessHandle.of(Long.parseLong(lines.get(0).strip()))
          .filter(process -> serves(process, data))
          .map(process -> new Postmaster(process, port))
          .filter(Postmaster::isAlive);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /**
   * Removes a file that names no live server of this directory. PostgreSQL itself would refuse to
   * start while any process has the number in it, be it a shell.
   */
  static void forgetDead(Path data) throws IOException {
    if (of(data).isEmpty()) {
      Files.deleteIfExists(data.resolve(FILE));
    }
  }

  /**
   * Whether the process is there, be it frozen. One that is dead but that nobody has waited for
   * counts as gone: in a container the gateway itself may be process 1 and never wait for it.
   */
  boolean isAlive() {
    return handle.isAlive() && state() != 'Z';
  }

  /** Whether somebody has stopped the process with SIGSTOP. */
  boolean isFrozen() {
    return state() == 'T';
  }

  private char state() {
    try {
      String stat = Files.readString(Path.of("/proc/" + handle.pid() + "/stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2);
    } catch (IOException | IndexOutOfBoundsException e) {
      return '?';
    }
  }

  private static boolean serves(ProcessHandle process, Path data) {
    List<String> command = commandLine(process);
    return !command.isEmpty()
        && command.get(0).endsWith("postgres")
        && command.contains(data.toString());
  }

  private static List<String> commandLine(ProcessHandle process) {
    try {
      byte[] raw = Files.readAllBytes(Path.of("/proc/" + process.pid() + "/cmdline"));
      return Arrays.asList(new String(raw, StandardCharsets.UTF_8).split("\0"));
    } catch (IOException e) {
      ProcessHandle.Info info = process.info();
      List<String> command = new ArrayList<>(info.command().map(List::of).orElse(List.of()));
      command.addAll(Arrays.asList(info.arguments().orElse(new String[0])));
      return command;
    }
  }

  private static List<String> lines(Path data) {
    try {
      return Files.readAllLines(data.resolve(FILE));
    } catch (IOException e) {
      return List.of();
    }
  }
}
