import { expect, expectTypeOf, test } from 'vitest';
import * as consents from '../../functions/consents/routes.ts';
import type { BodyOf, Client, ErrorsOf } from '../../lib/contract/client-types.ts';
import type { DeclaredError } from '../../lib/contract/errors.ts';
import { errorsOf, type Route } from '../../lib/contract/route.ts';
import { type countThings, listThings, rename } from './must-not-compile/example.ts';

/** `tsc` checks what is said here of types; at run time `expectTypeOf` does nothing. */

type Api = Client<typeof consents & { rename: typeof rename; listThings: typeof listThings }>;

test('the body is that of the declaration', () => {
  type Answer = Awaited<ReturnType<Api['revokeConsent']>>;
  type Body = Extract<Answer, { ok: true }>['body'];
  expectTypeOf<Body>().toEqualTypeOf<{ success: boolean; agreementId: string; agreed: false; revokedAt: string }>();
  type Listed = Awaited<ReturnType<Api['listThings']>>;
  expectTypeOf<Extract<Listed, { ok: true }>['body']['items']>().toEqualTypeOf<{ name: string }[]>();
  expectTypeOf<BodyOf<typeof countThings>['metadata']['unseen']>().toEqualTypeOf<number>();
  expectTypeOf<BodyOf<typeof countThings>['metadata']['nextCursor']>().toEqualTypeOf<string | null>();
  expectTypeOf<BodyOf<typeof listThings>['metadata']>().not.toHaveProperty('unseen');
});

test('optional fields can be left out', () => {
  expectTypeOf<Parameters<Api['listAgreements']>>().toExtend<[request?: object]>();
  expectTypeOf<[]>().toExtend<Parameters<Api['listAgreements']>>();
  expectTypeOf<[]>().not.toExtend<Parameters<Api['agree']>>();
  expectTypeOf<[{ params: { versionId: string } }]>().toExtend<Parameters<Api['agree']>>();
});

test('the codes of the type are those of errorsOf', () => {
  // The object has to name each code of the type and no other.
  const codes = <E extends DeclaredError>(named: Record<E['code'], true>) => Object.keys(named).toSorted();
  const answered = (route: Route) =>
    errorsOf(route)
      .map(({ code }) => code)
      .toSorted();
  const always = { RATE_LIMITED: true, INTERNAL: true, UNAVAILABLE: true, TIMEOUT: true } as const;
  const signedIn = { ...always, UNAUTHENTICATED: true, FORBIDDEN: true, ACCOUNT_CLOSED: true } as const;
  expect(
    codes<ErrorsOf<typeof rename>>({
      ...signedIn,
      VALIDATION_FAILED: true,
      MALFORMED_JSON: true,
      UNSUPPORTED_CONTENT_TYPE: true,
      PAYLOAD_TOO_LARGE: true,
      AGREEMENT_NOT_FOUND: true,
      AGREEMENT_VERSION_NOT_ACTIVE: true,
    }),
  ).toEqual(answered(rename));
  expect(codes<ErrorsOf<typeof listThings>>({ ...always, VALIDATION_FAILED: true, INVALID_CURSOR: true })).toEqual(
    answered(listThings),
  );
  expect(
    codes<ErrorsOf<typeof consents.revokeConsent>>({
      ...signedIn,
      VALIDATION_FAILED: true,
      AGREEMENT_NOT_FOUND: true,
      AGREEMENT_REQUIRED: true,
    }),
  ).toEqual(answered(consents.revokeConsent));
  const { ACCOUNT_CLOSED: _refused, ...answers } = signedIn;
  expect(
    codes<ErrorsOf<typeof consents.readOwnConsentState>>({
      ...answers,
      VALIDATION_FAILED: true,
      AGREEMENT_NOT_FOUND: true,
    }),
  ).toEqual(answered(consents.readOwnConsentState));
});
