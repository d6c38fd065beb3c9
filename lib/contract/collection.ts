import * as z from 'zod/mini';

/** How every collection is paged (docs/conventions.md). */

export const maxLimit = 100;
export const defaultLimit = 20;

/** The fields of every collection's metadata. */
export const metadataNames: readonly string[] = ['limit', 'count', 'hasMore', 'nextCursor'];

export const Metadata = z.object({
  limit: z.int(),
  count: z.int(),
  hasMore: z.boolean(),
  nextCursor: z.nullable(z.string()),
});

/** The query parameters that every collection takes; the limit arrives as a string. */
export const PageQuery = z.object({
  limit: z.optional(
    z.pipe(
      z.string().check(z.regex(/^[0-9]{1,9}$/, 'must be a whole number')),
      z.pipe(
        z.transform((digits: string) => Number(digits)),
        z.int().check(z.gte(1), z.lte(maxLimit)),
      ),
    ),
  ),
  // Any text is allowed here: a cursor that was not issued for this request gives INVALID_CURSOR.
  cursor: z.optional(z.string()),
});

/** The start of a page in its own form: the position that the previous page's handler sealed. */
export type Position = Record<string, string | number>;

/** What a collection declares of its cursors: the name of the key that a page begins after, or several names; `left?` for one that may be absent. The sealed cursors have these names. */
export type CursorFields = string | readonly string[];

/** The start of a page: what the previous page's handler returned as `next`. */
export type After<C> = C extends string
  ? string
  : C extends readonly (infer Name extends string)[]
    ? { readonly [N in Name as N extends `${string}?` ? never : N]: string } & {
        readonly [N in Name as N extends `${infer Optional}?` ? Optional : never]?: string;
      }
    : never;

/** `after` is null for the first page. */
export type Page<C> = { limit: number; after: After<C> | null };

/**
 * The answer of a collection: its items and their place in the whole.
 *
 * @param metadata what else the collection says about the whole
 */
export function envelope(item: z.ZodMiniObject, metadata?: z.ZodMiniObject) {
  return z.object({
    items: z.array(item),
    // No `z.extend` if there is nothing to add: only the shared schema itself becomes the document's one component.
    metadata: metadata ? z.object({ ...Metadata.shape, ...metadata.shape }) : Metadata,
  });
}
