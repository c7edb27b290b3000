package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.problem.Problem.INVALID_REQUEST;

import com.memoryendpoints.gateway.problem.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a request said, member by member: a value, or what is wrong with it. */
final class Fields {
  /** How many faults of one object are told; the rest would only make the answer longer. */
  static final int FAULTS_MAX = 20;

  /** A name that may be named back; any other is only counted. */
  private static final Pattern TELLABLE = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

  private final Shape shape;
  private final String at;
  private final @Nullable Object[] values;
  private @Nullable List<Map<String, Object>> others;

  Fields(Shape shape, String at) {
    this.shape = shape;
    this.at = at;
    this.values = new Object[shape.members().size()];
  }

  void put(int place, Object valueOrFault) {
    values[place] = valueOrFault;
  }

  boolean has(int place) {
    return values[place] != null;
  }

  void unknown(String name) {
    fault(TELLABLE.matcher(name).matches() ? "/" + name : "", Fault.UNKNOWN);
  }

  /** Adds a fault that no member of the shape has. */
  void fault(String pointer, Fault fault) {
    if (others == null) {
      others = new ArrayList<>();
    }
    if (others.size() < FAULTS_MAX) {
      others.add(error(pointer, fault));
    }
  }

  /** The value of a member that is there; only after {@link #requireValid}. */
  <T> T get(Member<T> member) {
    T value = find(member);
    if (value == null) {
      throw new IllegalStateException(member.name() + " is not there");
    }
    return value;
  }

  /** The value of a member, or null where it is absent or at fault. */
  @SuppressWarnings("unchecked") // Shape put what the member's own form returned.
  <T> @Nullable T find(Member<T> member) {
    Object value = values[shape.place(member)];
    return value instanceof Fault ? null : (T) value;
  }

  /** Whether the member is there and at fault. */
  boolean faulty(Member<?> member) {
    return values[shape.place(member)] instanceof Fault;
  }

  /**
   * Refuses the request when anything in it is at fault, with everything that is.
   *
   * @throws Refusal INVALID_REQUEST
   */
  void requireValid() {
    List<Map<String, Object>> errors = errors();
    if (!errors.isEmpty()) {
      throw invalid(errors);
    }
  }

  /** The refusal of a request whose one fault is no member's. */
  static Refusal invalid(Fault fault) {
    return invalid("", fault);
  }

  /** The same with what points at it. */
  static Refusal invalid(String pointer, Fault fault) {
    Fields none = new Fields(Shape.EMPTY, "");
    none.fault(pointer, fault);
    return none.invalid(none.errors());
  }

  private Refusal invalid(List<Map<String, Object>> errors) {
    return INVALID_REQUEST.because(errors.size() + " faults").with("errors", errors);
  }

  private List<Map<String, Object>> errors() {
    List<Map<String, Object>> errors = null;
    for (int i = 0; i < values.length; i++) {
      Fault fault = fault(shape.members().get(i), values[i]);
      if (fault != null) {
        errors = errors == null ? new ArrayList<>() : errors;
        errors.add(error("/" + shape.members().get(i).name(), fault));
      }
    }
    if (errors == null) {
      return others == null ? List.of() : others;
    }
    if (others != null) {
      errors.addAll(others.subList(0, Math.min(others.size(), FAULTS_MAX - errors.size())));
    }
    return errors;
  }

  private static @Nullable Fault fault(Member<?> member, @Nullable Object value) {
    if (value instanceof Fault fault) {
      return fault;
    }
    return value == null && member.required() ? Fault.REQUIRED : null;
  }

  private Map<String, Object> error(String pointer, Fault fault) {
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("pointer", at + pointer);
    error.put("code", fault.name());
    error.put("detail", fault.detail());
    return error;
  }
}
