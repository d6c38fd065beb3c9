import * as z from 'zod/mini';

/** The rows that an answer can show. One that somebody wrote who may not, must not hide the others. */
export function fitting<Row>(schema: z.ZodMiniType, rows: readonly Row[]): Row[] {
  return rows.filter((row) => z.safeParse(schema, row).success);
}
