import fc from 'fast-check';

/** What earlier answers held, by the field's name: ids, cursors, sessions. So a later request can be about what is there. */

export type Seen = ReturnType<typeof rememberSeen>;

const keptEach = 30;
const maximumLength = 4096;
/** Where an answer's field comes back under another name. */
const sentAs: Readonly<Record<string, readonly string[]>> = {
  nextCursor: ['cursor'],
  activeVersionId: ['versionId'],
  messageId: ['upTo'],
};

export function rememberSeen() {
  const values = new Map<string, string[]>();
  /** By the names of their fields, so that a frequent kind does not drive out a rare one. */
  const objects = new Map<string, object[]>();

  function add(name: string, value: string): void {
    if (value.length > maximumLength) return;
    for (const as of [name, ...(sentAs[name] ?? [])]) {
      const those = values.get(as) ?? [];
      if (those.includes(value)) continue;
      values.set(as, [...those.slice(1 - keptEach), value]);
    }
  }

  function addAll(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) {
      const shape = Object.keys(value).sort().join();
      objects.set(shape, [...(objects.get(shape) ?? []).slice(1 - keptEach), value]);
    }
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === 'string') add(name, inner);
      else addAll(inner);
    }
  }

  return {
    add,
    addAll,
    /** No request names what was seen of this name. */
    forget(name: string): void {
      values.delete(name);
      for (const [shape, those] of objects)
        objects.set(
          shape,
          those.filter((object) => !(name in object)),
        );
    },
    /** One of what was seen of this name by the time that the value is made, else one of `otherwise`. */
    orElse: <T>(name: string, otherwise: fc.Arbitrary<T>): fc.Arbitrary<T | string> =>
      fc.tuple(fc.nat(keptEach), fc.integer({ min: 1, max: 4 }), otherwise).map(([index, chance, other]) => {
        const those = values.get(name) ?? [];
        return chance === 1 ? other : (those[index % Math.max(those.length, 1)] ?? other);
      }),
    /** Mostly a whole object that has all of these fields: what was read can be sent back. */
    objectOrElse: (fields: readonly string[], otherwise: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
      fc.tuple(fc.nat(keptEach * keptEach), fc.integer({ min: 1, max: 4 }), otherwise).map(([index, chance, other]) => {
        const those = [...objects.values()].flat().filter((object) => fields.every((field) => field in object));
        return chance === 1 ? other : (those[index % Math.max(those.length, 1)] ?? other);
      }),
  };
}

/** The same, but nothing that was seen of these names is sent back. */
export function except(seen: Seen, names: readonly string[]): Seen {
  return {
    ...seen,
    orElse: (name, otherwise) => (names.includes(name) ? otherwise : seen.orElse(name, otherwise)),
    objectOrElse: (fields, otherwise) =>
      fields.some((field) => names.includes(field)) ? otherwise : seen.objectOrElse(fields, otherwise),
  };
}
