import type * as z from 'zod/mini';

/** What an error is (docs/conventions.md). Errors of every route are in `common-errors.ts`, all others in their domain. */

export type Status = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 428 | 429 | 500 | 503 | 504;

type Schema = z.core.$ZodType;

export type DeclaredError<C extends string = string, S extends Status = Status, D extends Schema = Schema> = {
  readonly code: C;
  readonly status: S;
  /** The sentence for developers. */
  readonly message: string;
  /** Seconds in the `Retry-After` header. */
  readonly retryAfter?: number;
  /** The schema of `detail`; absent where it is null. It is a function, as most functions need none of these schemas. */
  readonly detail?: () => D;
};

export function error<const C extends string, const S extends Status, D extends Schema = never>(
  declaration: DeclaredError<C, S, D>,
): DeclaredError<C, S, D> {
  return declaration;
}

/** `null` for an error without one. */
export type DetailOf<E extends DeclaredError> = E extends { readonly detail?: () => infer D extends Schema }
  ? [D] extends [never]
    ? null
    : z.output<D>
  : null;

/** Explains an error to a client's developer. docs/errors.md and the OpenAPI responses are made from it. */
export type Guide = {
  /** The cause, as far as the client can see it. */
  readonly when: string;
  /** What a client should do. */
  readonly client: string;
  /** An example of its detail. */
  readonly example?: unknown;
};

/**
 * One entry for each error that a file declares. It is in a file of its own, `errors-guide.ts`, so that no function carries
 * the text.
 */
export type GuideTo<Errors> = {
  readonly [N in keyof Errors]: Errors[N] extends DeclaredError
    ? Guide & (DetailOf<Errors[N]> extends null ? unknown : { readonly example: DetailOf<Errors[N]> })
    : never;
};

export type DocumentedError = { readonly error: DeclaredError; readonly guide: Guide };

export type ErrorBody = { code: string; message: string; detail: unknown };

/** The whole body of an error answer, whether a handler, the gateway or the firewall makes it. */
export function errorBody<E extends DeclaredError>({ code, message }: E, detail: DetailOf<E> | null = null): ErrorBody {
  return { code, message, detail };
}

/** The extra headers of an error answer. */
export function errorHeaders({ retryAfter }: DeclaredError): Record<string, string> {
  return retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
}
