/** @throws an Error that lists the environments if `name` is none of them. */
export function environmentNamed<const E extends string>(environments: readonly E[], name: unknown): E {
  const found = environments.find((environment) => environment === name);
  if (!found) throw new Error(`unknown stage ${JSON.stringify(name)}: one of ${environments.join(', ')} is needed`);
  return found;
}
