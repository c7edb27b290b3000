package com.memoryendpoints.gateway.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.memoryendpoints.gateway.config.Limits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The body of a batch call: {@code {"items": [...]}} with 1 to {@link Limits#BATCH_ITEMS_MAX}
 * items. Only a fault of the envelope fails the call; an item's fault is that item's.
 */
final class Envelope {
  static final Member<List<Fields>> ITEMS =
      Member.required("items", new Form.Items(1, Limits.BATCH_ITEMS_MAX));

  private static final Shape SHAPE = Shape.of(ITEMS);

  private Envelope() {}

  /** Reads the whole body, item by item, and refuses only after its end. */
  static List<Fields> read(JsonParser json, Shape item) throws IOException {
    Fields envelope = new Fields(SHAPE, "");
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      if (name.equals(ITEMS.name())) {
        envelope.put(0, items(json, item));
      } else {
        envelope.unknown(name);
        json.skipChildren();
      }
    }
    envelope.requireValid();
    return envelope.get(ITEMS);
  }

  /** Reads a body that is one item, or an envelope: the latter has a member of that name. */
  static Payload readEither(JsonParser json, Shape item) throws IOException {
    Fields envelope = new Fields(SHAPE, "");
    Fields one = new Fields(item, "");
    List<String> others = new ArrayList<>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      if (name.equals(ITEMS.name())) {
        envelope.put(0, items(json, item));
      } else {
        others.add(name);
        item.readMember(json, name, one);
      }
    }
    if (!envelope.has(0)) {
      return new Payload(List.of(one), false);
    }
    others.forEach(envelope::unknown);
    envelope.requireValid();
    return new Payload(envelope.get(ITEMS), true);
  }

  /** The items, or the fault that their list has. */
  private static Object items(JsonParser json, Shape item) throws IOException {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      json.skipChildren();
      return Fault.WRONG_TYPE;
    }
    List<Fields> items = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (items.size() <= Limits.BATCH_ITEMS_MAX) {
        items.add(item(json, item, "/" + ITEMS.name() + "/" + items.size()));
      } else {
        json.skipChildren();
      }
    }
    boolean inRange = !items.isEmpty() && items.size() <= Limits.BATCH_ITEMS_MAX;
    return inRange ? items : Fault.OUT_OF_RANGE;
  }

  private static Fields item(JsonParser json, Shape item, String at) throws IOException {
    if (json.currentToken() == JsonToken.START_OBJECT) {
      return item.read(json, at);
    }
    json.skipChildren();
    Fields none = new Fields(Shape.EMPTY, at);
    none.fault("", Fault.WRONG_TYPE);
    return none;
  }
}
