/** Readers of JSON from any source: they trust no form of the input. */

export type Node = Readonly<Record<string, unknown>>;

export function extensionOf(node: Node, url: string): Node | undefined {
  return nodesOf(node.extension).find((each) => each.url === url);
}

export function numberOf(extension: Node | undefined): number | undefined {
  const value = extension?.valueInteger ?? extension?.valueDecimal;
  return typeof value === 'number' ? value : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function nodeOf(value: unknown): Node | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : undefined;
}

export function nodesOf(value: unknown): Node[] {
  return Array.isArray(value)
    ? value.flatMap((each: unknown): Node[] => [nodeOf(each)].filter((node) => node !== undefined))
    : [];
}
