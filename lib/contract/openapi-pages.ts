import type * as z from 'zod/mini';
import { envelope } from './collection.ts';
import type { Route } from './route.ts';
import type { Model } from './schemas.ts';

/** The schemas of collections in the OpenAPI document. */

type PageSchema = {
  readonly name: string;
  readonly page: z.ZodMiniObject;
  readonly metadata: z.ZodMiniObject | undefined;
};

/** A collection's page and its metadata, named after its items. The name is the same wherever the items are used. */
export function pageSchemas(models: readonly Model[]) {
  const pages = new Map<z.ZodMiniObject, PageSchema>();
  return {
    /** @throws an Error where two collections of the same items have different metadata */
    answerOf({ id, route }: { readonly id: string; readonly route: Route }): z.ZodMiniObject {
      if (!route.items) return route.response;
      const { items, metadata } = route;
      const known = pages.get(items);
      if (known && known.metadata !== metadata)
        throw new Error(
          `${id}: two kinds of ${known.name}Page: give both lists one metadata, or one a schema of its own`,
        );
      const name = models.find(({ schema }) => schema === items)?.name ?? `${capital(id)}Item`;
      const made = known ?? { name, metadata, page: envelope(items, metadata) };
      pages.set(items, made);
      return made.page;
    },
    models: (): Model[] =>
      [...pages].flatMap(([items, { name, page, metadata }]) => [
        ...(models.some(({ schema }) => schema === items) ? [] : [{ name, schema: items }]),
        { name: `${name}Page`, schema: page },
        ...(metadata ? [{ name: `${name}Metadata`, schema: page.shape.metadata as z.core.$ZodType }] : []),
      ]),
  };
}

/** `readPatient` → `ReadPatient` */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
