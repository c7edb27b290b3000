package com.memoryendpoints.gateway.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.vertx.core.MultiMap;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The members that one kind of request may have. Reading never stops at a fault: the whole body has
 * to be well-formed before anything in it is called invalid, and then all faults are told at once.
 */
record Shape(List<Member<?>> members) {
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  /** No members at all. */
  static final Shape EMPTY = Shape.of();

  /** The shape with these members. */
  static Shape of(Member<?>... members) {
    return new Shape(List.of(members));
  }

  /**
   * Reads the object whose opening brace is current.
   *
   * @param at the object's own JSON pointer: empty for the whole body
   */
  Fields read(JsonParser json, String at) throws IOException {
    Fields fields = new Fields(this, at);
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      readMember(json, name, fields);
    }
    return fields;
  }

  /** Reads one member whose value is current. */
  void readMember(JsonParser json, String name, Fields fields) throws IOException {
    int place = place(name);
    if (place < 0) {
      fields.unknown(name);
      json.skipChildren();
    } else {
      fields.put(place, value(members.get(place).form(), json));
    }
  }

  /** Reads a query; a parameter is text, or digits for an integer. */
  Fields read(MultiMap query) {
    Fields fields = new Fields(this, "");
    for (Map.Entry<String, String> parameter : query) {
      int place = place(parameter.getKey());
      if (place < 0) {
        fields.unknown(parameter.getKey());
      } else if (fields.has(place)) {
        fields.put(place, Fault.REPEATED);
      } else {
        fields.put(place, value(members.get(place).form(), parameter.getValue()));
      }
    }
    return fields;
  }

  /** Where the member stands, or -1. */
  int place(Member<?> member) {
    return members.indexOf(member);
  }

  private int place(String name) {
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** The value, or the fault that it has. */
  private static Object value(Form<?> form, JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case VALUE_STRING -> form.ofText(json.getText());
      case VALUE_NUMBER_INT -> form.ofInteger(json.getText());
      case START_ARRAY -> form.ofArray(json);
      default -> {
        json.skipChildren();
        yield Fault.WRONG_TYPE;
      }
    };
  }

  private static Object value(Form<?> form, String parameter) {
    if (form instanceof Form.Whole whole) {
      boolean digits = DIGITS.matcher(parameter).matches();
      return digits ? whole.ofInteger(parameter) : Fault.WRONG_TYPE;
    }
    return form.ofText(parameter);
  }
}
