/**
 * The probe's trigger before a token is signed, like the stage's (lib/runtime/pre-token-generation.ts). It fails if a call asks it to, so that
 * the probe sees what Cognito answers then.
 */
export const probeTrigger = `
exports.handler = async (event) => {
  const { groupConfiguration, clientMetadata } = event.request;
  if (clientMetadata && clientMetadata.probe === 'fail') throw new Error('as it was asked');
  if (event.callerContext.clientId === process.env.OWN_ACCOUNT_CLIENT_ID) return event;
  const accessTokenGeneration = { scopesToSuppress: ['aws.cognito.signin.user.admin'] };
  event.response = { claimsAndScopeOverrideDetails: { accessTokenGeneration, groupOverrideDetails: groupConfiguration } };
  return event;
};
`.trim();

/**
 * The probe's function: the authorizer, the API's calls, and direct calls. Lambda's own Node has the SDK. In a template the
 * code has at most 4 MB, and its file is `index.js`.
 */
export const probeFunction = `
exports.handler = async (event) => {
  const { SECRET, TABLE, ALLOWED, DENIED, API_KEY } = process.env;
  if (event.type === 'TOKEN') return {
    principalId: 'probe',
    policyDocument: { Version: '2012-10-17', Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: '*' }] },
    usageIdentifierKey: API_KEY,
  };
  if (event.probe === 'variables') return { secretLength: SECRET.length, table: TABLE };
  if (event.probe === 'decrypt') {
    const { KMSClient, DecryptCommand } = require('@aws-sdk/client-kms');
    return new KMSClient({}).send(new DecryptCommand({
      CiphertextBlob: Buffer.from(event.encrypted, 'base64'), EncryptionContext: event.context,
    })).then(() => ({ answer: 'done' }), (error) => ({ answer: error.name }));
  }
  if (event.probe === 'sns') {
    const { SNSClient, CreatePlatformEndpointCommand } = require('@aws-sdk/client-sns');
    const ask = (PlatformApplicationArn) => new SNSClient({}).send(
      new CreatePlatformEndpointCommand({ PlatformApplicationArn, Token: 'probe' }),
    ).then(() => 'made', (error) => error.name);
    return { allowed: await ask(ALLOWED), denied: await ask(DENIED) };
  }
  const { resource, path, pathParameters, headers } = event;
  return {
    statusCode: 200,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ resource, path, pathParameters, authorization: headers && headers.Authorization }),
  };
};
`.trim();
