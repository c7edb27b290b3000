package com.memoryendpoints.gateway.legacy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.memoryendpoints.gateway.config.CannotStart;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What became of every row, one JSON object a line: written beside its place, and moved there when
 * it is complete and what it says is so.
 */
public final class Report implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Report.class);
  private static final int BUFFER_BYTES = 1 << 16;
  private static final String[] OUTCOMES = {"", "kept", "renamed", "minted"};

  private final Path target;
  private final Path draft;
  private final FileChannel file;
  private final JsonGenerator json;

  private Report(Path target, Path draft) throws IOException {
    this.target = target;
    this.draft = draft;
    this.file = FileChannel.open(draft, StandardOpenOption.WRITE);
    this.json =
        new JsonFactory()
            .createGenerator(
                new BufferedOutputStream(Channels.newOutputStream(file), BUFFER_BYTES));
    json.setRootValueSeparator(null);
  }

  /**
   * An empty report.
   *
   * @param target where it will be; a file that is there stays until then, and is then replaced
   * @param sources the files that are imported, which it must not replace
   * @throws CannotStart when nothing can be written beside it, or what is there is not its to
   *     replace
   */
  public static Report beside(Path target, List<Path> sources) {
    Path folder = target.toAbsolutePath().getParent();
    boolean there = Files.exists(target, LinkOption.NOFOLLOW_LINKS);
    if (folder == null || (there && !Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS))) {
      throw CannotStart.misconfigured(
          "The report " + target + " is there, and is no file. Name another, by --report.");
    }
    try {
      for (Path source : sources) {
        if (there && Files.isSameFile(target, source)) {
          throw CannotStart.misconfigured(
              "The report " + target + " is a file to be imported. Name another, by --report.");
        }
      }
      return new Report(target, Files.createTempFile(folder, target.getFileName() + ".", ".part"));
    } catch (IOException e) {
      throw CannotStart.misconfigured(
          "The report "
              + target
              + " cannot be written. Name a file in a directory that can be, by --report.",
          e);
    }
  }

  /** Where it will be. */
  Path target() {
    return target;
  }

  void agent(ResultSet row) throws SQLException, IOException {
    begin("agent", row);
    json.writeStringField("legacy_id", row.getString("legacy_id"));
    json.writeStringField("outcome", OUTCOMES[row.getInt("outcome")]);
    json.writeStringField("display_name", row.getString("display_name"));
    if (row.getBoolean("altered")) {
      json.writeBooleanField("display_name_altered", true);
    }
    json.writeStringField("canonical_name", row.getString("canonical_name"));
    if (row.getString("reason") != null) {
      json.writeStringField("reason", row.getString("reason"));
    }
    end();
  }

  void memory(ResultSet row) throws SQLException, IOException {
    begin("memory", row);
    json.writeStringField("legacy_memory_id", row.getString("legacy_id"));
    json.writeStringField("outcome", OUTCOMES[row.getInt("outcome")]);
    json.writeStringField("memory_instance_id", row.getString("memory_id"));
    end();
  }

  private void begin(String kind, ResultSet row) throws SQLException, IOException {
    json.writeStartObject();
    json.writeStringField("kind", kind);
    json.writeNumberField("line", row.getLong("line"));
    json.writeStringField("tenant_id", row.getString("tenant_id"));
  }

  private void end() throws IOException {
    json.writeEndObject();
    json.writeRaw('\n');
  }

  /** Writes what is left, so that moving it is all that can still fail. */
  void complete() throws IOException {
    json.flush();
    file.force(true);
  }

  /**
   * Puts it in its place.
   *
   * @throws IOException when it cannot be moved; it is gone then
   */
  void publish() throws IOException {
    Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Removes what was not put in its place. */
  @Override
  public void close() {
    try {
      json.close();
      Files.deleteIfExists(draft);
    } catch (IOException e) {
      LOG.debug("the draft of the report stays", e);
    }
  }
}
