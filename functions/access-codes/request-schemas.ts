import * as z from 'zod/mini';

/** As it is typed or pasted: read tolerantly, and of whatever length to be called mistyped. */
export const TypedCode = z.string().check(z.maxLength(200));
