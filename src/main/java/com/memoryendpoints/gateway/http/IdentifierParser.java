package com.memoryendpoints.gateway.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import com.memoryendpoints.gateway.problem.Refusal;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads identifiers from a body as it comes: one JSON string a line, or one JSON array of strings.
 * It holds what is unfinished, and no more. What it finds wrong is told with its place, which is
 * the line, or the element of the array, counted from 1.
 */
final class IdentifierParser {
  /** Code points of one identifier. */
  static final Form.Text IDENTIFIER = new Form.Text(1, 255, true);

  private final JsonParser json;
  private final ByteArrayFeeder feeder;
  private final Utf8 utf8 = new Utf8();
  private final boolean lines;
  private int place;
  private boolean open;
  private boolean closed;

  /**
   * At the start of a body.
   *
   * @param lines whether it is a string a line, rather than an array
   */
  IdentifierParser(boolean lines) {
    this.json = Json.incremental(IDENTIFIER.codePointsMax() * 2);
    this.feeder = (ByteArrayFeeder) json.getNonBlockingInputFeeder();
    this.lines = lines;
    this.open = lines;
  }

  /**
   * Reads the next part.
   *
   * @param into what is complete is added here, also when something after it is wrong
   * @return what is wrong, or null
   */
  @Nullable Refusal read(byte[] part, List<String> into) {
    try {
      if (!utf8.continues(part)) {
        return wrong(place + 1, Fault.BAD_FORMAT);
      }
      feeder.feedInput(part, 0, part.length);
      return tokens(into);
    } catch (IOException e) {
      return wrong(e);
    }
  }

  /** Reads what the end of the body completes; returns as {@link #read} does. */
  @Nullable Refusal end(List<String> into) {
    try {
      feeder.endOfInput();
      Refusal wrong = tokens(into);
      boolean whole = utf8.isComplete() && (lines || closed);
      return wrong != null || whole ? wrong : wrong(place + 1, Fault.BAD_FORMAT);
    } catch (IOException e) {
      return wrong(e);
    }
  }

  private @Nullable Refusal tokens(List<String> into) throws IOException {
    for (JsonToken token = json.nextToken();
        token != null && token != JsonToken.NOT_AVAILABLE;
        token = json.nextToken()) {
      if (!open && token == JsonToken.START_ARRAY && place == 0) {
        open = true;
      } else if (open && !lines && token == JsonToken.END_ARRAY) {
        open = false;
        closed = true;
      } else {
        Refusal wrong = value(token, into);
        if (wrong != null) {
          return wrong;
        }
      }
    }
    return null;
  }

  private @Nullable Refusal value(JsonToken token, List<String> into) throws IOException {
    int before = place;
    place = lines ? json.currentTokenLocation().getLineNr() : place + 1;
    if (!open || token != JsonToken.VALUE_STRING) {
      return wrong(place, Fault.WRONG_TYPE);
    }
    if (lines && place == before) {
      return wrong(place, Fault.BAD_FORMAT); // Two on one line.
    }
    Object read = IDENTIFIER.ofText(json.getText());
    if (read instanceof Fault fault) {
      return wrong(place, fault);
    }
    into.add((String) read);
    return null;
  }

  private Refusal wrong(IOException e) {
    boolean located = lines && e instanceof JsonProcessingException;
    int line =
        located && ((JsonProcessingException) e).getLocation() != null
            ? ((JsonProcessingException) e).getLocation().getLineNr()
            : place + 1;
    return wrong(line, Json.isTooLong(e) ? Fault.OUT_OF_RANGE : Fault.BAD_FORMAT);
  }

  private static Refusal wrong(int place, Fault fault) {
    return Fields.invalid(fault).with("line", place);
  }
}
