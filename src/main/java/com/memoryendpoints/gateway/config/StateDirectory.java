package com.memoryendpoints.gateway.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The directory of what outlives the process: readable by its user only. Whoever keeps more than
 * secrets in it locks it, because two gateways on one embedded database would destroy it.
 */
public final class StateDirectory implements AutoCloseable {
  private static final String LOCK = "lock";
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> OWNER_ONLY_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path path;
  private @Nullable FileChannel locked;

  private StateDirectory(Path path) {
    this.path = path;
  }

  /**
   * The directory, made when it is absent.
   *
   * @throws CannotStart when it cannot be made or written
   */
  public static StateDirectory open(Path path) {
    try {
      if (!Files.isDirectory(path)) {
        Files.createDirectories(path, OWNER_ONLY_DIRECTORY);
      }
      Path real = path.toRealPath();
      if (!Files.isWritable(real)) {
        throw new IOException("not writable");
      }
      return new StateDirectory(real);
    } catch (IOException e) {
      throw CannotStart.misconfigured(
          "The state directory "
              + path
              + " cannot be made or written by this user. Set database.embedded_data_dir to a"
              + " directory that can be written; with database.uri set, set audit.key, or HOME to a"
              + " directory that can be written.",
          e);
    }
  }

  /** The directory itself, without symbolic links. */
  public Path path() {
    return path;
  }

  /**
   * Takes the directory for this process until {@link #close}; the system gives it back when the
   * process dies, however it dies.
   *
   * @throws CannotStart when another process has it
   */
  public StateDirectory lock() {
    Path file = path.resolve(LOCK);
    try {
      FileChannel channel =
          FileChannel.open(
              file,
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
              OWNER_ONLY);
      if (!isLocked(channel)) {
        channel.close();
        throw CannotStart.misconfigured(inUse(file));
      }
      channel.truncate(0);
      String pid = ProcessHandle.current().pid() + "\n";
      channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.UTF_8)));
      locked = channel;
      return this;
    } catch (IOException e) {
      throw CannotStart.misconfigured("The lock file " + file + " cannot be used: " + e, e);
    }
  }

  /**
   * A secret that is kept here in a file of mode 600; minted when the file is absent. Two processes
   * that mint at once agree on one.
   *
   * @param name the file's name
   */
  public String secret(String name, Supplier<String> mint) {
    Path file = path.resolve(name);
    try {
      if (!Files.exists(file)) {
        keep(file, mint.get());
      }
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw CannotStart.misconfigured("The file " + file + " cannot be used: " + e, e);
    }
  }

  /** Whether the file of a secret is there. */
  public boolean has(String name) {
    return Files.exists(path.resolve(name));
  }

  /** Gives the lock back. */
  @Override
  public void close() {
    try {
      if (locked != null) {
        locked.close();
      }
    } catch (IOException e) {
      throw CannotStart.failed("The lock of " + path + " cannot be given back: " + e, e);
    } finally {
      locked = null;
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private String inUse(Path file) {
    String who = "another gateway";
    try {
      who += ", process " + Files.readString(file).strip();
    } catch (IOException e) {
      who += " (its process is not known)";
    }
    return "The directory "
        + path
        + " is used by "
        + who
        + ". Stop that one, or set database.embedded_data_dir to another directory.";
  }

  /** Written aside and linked into place, so that nobody reads half a secret. */
  private void keep(Path file, String secret) throws IOException {
    Path draft = Files.createTempFile(path, file.getFileName() + ".", ".draft", OWNER_ONLY);
    try {
      try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap((secret + "\n").getBytes(StandardCharsets.UTF_8)));
        channel.force(true);
      }
      Files.createLink(file, draft);
    } catch (FileAlreadyExistsException e) {
      // Another process was first, and its secret is the one.
      return;
    } catch (UnsupportedOperationException e) {
      Files.copy(draft, file);
    } finally {
      Files.deleteIfExists(draft);
    }
  }
}
