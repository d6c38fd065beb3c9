import { selfServiceScope } from '../lib/contract/tokens.ts';
import { unlikeSample } from './analytics/sample-answers.ts';
import { meteredIsLimited, unmeteredIsNot } from './probe-metering.ts';
import type { Probed, Verdict } from './probed.ts';

/** What the probe checks in a real account, and what it cannot check. Each has the number of the decision that relies on it. */

export type Case = {
  readonly what: string;
  /** The number of the decision. */
  readonly decision: number;
  readonly check: (probed: Probed) => Promise<Verdict>;
};

const verdict = (holds: boolean, found: unknown): Verdict => ({
  holds,
  found: typeof found === 'string' ? found : JSON.stringify(found),
});
const username = 'Probe@Example.com';
const bearer = { Authorization: 'Bearer probe' };
const isDenied = (answer: string) => /AccessDenied/.test(answer);

/** The order matters: the last cases change what is deployed. The first case is that the stacks could be made. */
export const cases: readonly Case[] = [
  {
    what: 'CloudFormation reads a variable with a secret from a parameter’s name, and the function decrypts it with the key',
    decision: 37,
    async check({ invoke }) {
      const found = await invoke({ probe: 'variables' });
      return verdict(found.secretLength === 64, found);
    },
  },
  {
    what: 'a function can use the key only with the encryption context that names this function',
    decision: 37,
    async check({ decrypted }) {
      const found = await decrypted();
      return verdict(found.own === 'done' && isDenied(`${found.other}`), found);
    },
  },
  {
    what: 'an unknown path with a bearer token reaches the function that answers 404',
    decision: 5,
    async check({ fetch }) {
      const { status, body } = await fetch('/no/such/path', bearer);
      return verdict(status === 200 && resourceOf(body) === '/{proxy+}', { status, resource: resourceOf(body) });
    },
  },
  {
    what: '%2F in a path parameter is part of the parameter',
    decision: 37,
    async check({ fetch, paths }) {
      const { status, body } = await fetch(paths.withSlash, bearer);
      return verdict(resourceOf(body) !== '/{proxy+}', { status, resource: resourceOf(body) });
    },
  },
  {
    what: 'a metered route is limited for a tool (429)',
    decision: 3,
    check: meteredIsLimited,
  },
  {
    what: 'a route that requires no key is not metered (if it is, integrations are limited on every route; the app never)',
    decision: 3,
    check: unmeteredIsNot,
  },
  {
    what: 'Athena takes the views over exported tables, and answers the questions as DuckDB does',
    decision: 52,
    async check({ askAthena }) {
      const unlike = unlikeSample(await askAthena());
      return verdict(unlike.length === 0, unlike.length === 0 ? 'the same answers' : unlike.join('; '));
    },
  },
  {
    what: 'the policy of the evidence bucket allows a plain put, and no upload in parts, other class or key of the sender',
    decision: 30,
    async check({ evidence }) {
      const found = {
        put: await evidence.put(),
        toArchive: await evidence.putToArchive(),
        underOwnKey: await evidence.putUnderOwnKey(),
        inParts: await evidence.beginInParts(),
      };
      const { put, ...others } = found;
      return verdict(put === 'done' && Object.values(others).every(isDenied), found);
    },
  },
  {
    what: 'a ledger’s policy allows a put in a transaction, without an expiry, and no other write',
    decision: 2,
    async check({ ledger }) {
      const found = {
        inTransaction: await ledger.putInTransaction(),
        expiringInTransaction: await ledger.putExpiringInTransaction(),
        put: await ledger.put(),
        update: await ledger.update(),
        remove: await ledger.remove(),
      };
      const { inTransaction, ...others } = found;
      return verdict(inTransaction === 'done' && Object.values(others).every(isDenied), found);
    },
  },
  {
    what: 'IAM takes platform applications as resources of SNS’s actions',
    decision: 14,
    async check({ invoke }) {
      const found = await invoke({ probe: 'sns' });
      return verdict(
        /NotFound|InvalidParameter/.test(`${found.allowed}`) && /Authorization/.test(`${found.denied}`),
        found,
      );
    },
  },
  {
    what: 'an app client can write only the one attribute that it names',
    decision: 6,
    async check({ cognito }) {
      const found = await cognito.writeAttributes();
      return verdict(found.length === 1 && found[0] === 'custom:unused', found);
    },
  },
  {
    what: 'the case of an e-mail address does not matter at sign-in',
    decision: 11,
    async check({ cognito }) {
      const found = await cognito.signIn(username.toUpperCase());
      return verdict(!/Exception/.test(found), found);
    },
  },
  {
    what: 'a refresh token of the admin flow renews again and again, and stays the same',
    decision: 56,
    async check({ cognito }) {
      const found = await cognito.renew();
      return verdict(
        found.every((each) => each === 'the token stays'),
        found,
      );
    },
  },
  {
    what: 'RevokeToken refuses text that is no token',
    decision: 11,
    async check({ cognito }) {
      const found = await cognito.revokeText();
      return verdict(/^(InvalidParameter|NotAuthorized|Unauthorized|Unsupported)/.test(found), found);
    },
  },
  {
    what: 'a refresh token that was revoked renews nothing, and to revoke it again is no error',
    decision: 56,
    async check({ cognito }) {
      const found = await cognito.renewAfterRevoking();
      return verdict(/Exception/.test(found.renewal) && found.again === 'done', found);
    },
  },
  {
    what: 'a session of the second factor survives a wrong code (if not, the app begins the sign-in again)',
    decision: 11,
    async check({ cognito }) {
      const found = await cognito.rightCodeAfterWrong();
      return verdict(!/Exception/.test(found), found);
    },
  },
  {
    what: 'three codes of an authenticator app sign in at most: the present one and its neighbours',
    decision: 58,
    async check({ cognito }) {
      const found = await cognito.windowOfCodes();
      return verdict(found.includes(0) && found.every((ahead) => Math.abs(ahead) <= 1), found.join(', '));
    },
  },
  {
    what: 'that a user is disabled is said only to the right password',
    decision: 58,
    async check({ cognito }) {
      const found = await cognito.disabledUser();
      const [right = '', wrong = ''] = found;
      return verdict(right === 'User is disabled.' && wrong !== right && wrong !== 'signed in', found.join(' '));
    },
  },
  {
    what: 'a temporary password opens only the choice of another one',
    decision: 11,
    async check({ cognito }) {
      const found = await cognito.temporaryPassword();
      return verdict(found === 'NEW_PASSWORD_REQUIRED', found);
    },
  },
  {
    what: 'the trigger takes the scope from each token that is handed out, and the roles stay; GetUser refuses the token',
    decision: 57,
    async check({ cognito }) {
      const found = await cognito.scopes();
      const [handedOut, renewed, kept] = found.scopes.map((scope) => `${scope ?? ''}`.includes(selfServiceScope));
      const isAsMeant = !handedOut && !renewed && kept === true;
      const isRefused = found.looks.join() === 'NotAuthorizedException,NotAuthorizedException,answered';
      return verdict(isAsMeant && isRefused && `${found.groups}` === 'physician', found);
    },
  },
  {
    what: 'a trigger that fails refuses nobody by the exception of a wrong password, and uses up no refresh token',
    decision: 57,
    async check({ cognito }) {
      const found = await cognito.failingTrigger();
      const [failed = '', after] = found;
      const isFailure = /^(UnexpectedLambda|UserLambdaValidation|InvalidLambdaResponse)Exception$/.test(failed);
      return verdict(isFailure && after === 'renewed', found.join(', '));
    },
  },
  {
    what: 'an authenticator app whose secret was shown under one token can be proved under a later one of the same user',
    decision: 57,
    async check({ cognito }) {
      const found = await cognito.appOfTwoTokens();
      return verdict(found === 'SUCCESS', found);
    },
  },
  {
    what: 'the session of a sign-in through our API cannot be answered at Cognito’s public API',
    decision: 57,
    async check({ cognito }) {
      const found = await cognito.publicAnswerToAdminChallenge();
      return verdict(/Exception/.test(found), found);
    },
  },
  {
    what: 'Cognito’s public operations that ask for no token are refused, also to whoever has the password and a refresh token',
    decision: 57,
    async check({ cognito }) {
      const found = await cognito.publicOperations();
      const answers = Object.values(found);
      return verdict(answers.length > 0 && answers.every((each) => /Exception$/.test(each)), found);
    },
  },
  {
    what: 'an authenticator app can be deleted, also twice, and the next sign-in does not ask for its code',
    decision: 47,
    async check({ cognito }) {
      const found = await cognito.deleteApp();
      const [first = '', second = '', next] = found;
      const isRepeated = ['deleted', 'SoftwareTokenMFANotFoundException', 'InvalidParameterException'].includes(second);
      return verdict(
        first === 'deleted' && isRepeated && (next === 'MFA_SETUP' || next === 'signed in'),
        found.join(', '),
      );
    },
  },
  {
    what: 'the API’s unchanged template gets the name of a replaced table',
    decision: 5,
    async check({ followReplacement }) {
      const { before, has, should } = await followReplacement();
      return verdict(has === should && has !== before, { before, has, should });
    },
  },
  {
    what: 'a second deployment does not change the association of the web ACL',
    decision: 5,
    async check({ webAclOfStage, redeploy }) {
      const before = await webAclOfStage();
      await redeploy();
      const after = await webAclOfStage();
      return verdict(before !== null && before === after, { before, after });
    },
  },
];

function resourceOf(body: unknown): unknown {
  return body !== null && typeof body === 'object' && 'resource' in body ? body.resource : null;
}
