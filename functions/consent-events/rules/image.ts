/** A change of a table as its stream has it. */

type Value = {
  readonly S?: string | undefined;
  readonly N?: string | undefined;
  readonly BOOL?: boolean | undefined;
  readonly NULL?: boolean | undefined;
  readonly M?: Image | undefined;
};

export type Image = { readonly [name: string]: Value };
export type RowChange = { readonly OldImage?: Image | undefined; readonly NewImage?: Image | undefined };

/** The event for a change. */
export type DomainEvent = {
  readonly detailType: string;
  /** When it was, ISO 8601. */
  readonly time: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

/** An event has ids and times: longer ones are of no honest function, and could be refused for ever. */
const longest = 1000;

/** @throws an Error where the row has no such text */
export function textIn(image: Image, name: string): string {
  const value = image[name]?.S;
  if (value === undefined || value.length > longest) throw new Error(`the row has no ${name}`);
  return value;
}

/** @throws an Error where the row has no such number */
export function numberIn(image: Image, name: string): number {
  const value = image[name]?.N;
  if (value === undefined) throw new Error(`the row has no ${name}`);
  return Number(value);
}
