import { createRemoteJWKSet, jwtVerify } from 'jose';

/**
 * What anybody can do who has a receipt and knows where the keys are: `node verify-with-jose.ts <JWKS address> <receipt>`.
 * Prints the payload. Nothing of this project is imported.
 */
const [, , address = '', receipt = ''] = process.argv;
const { payload, protectedHeader } = await jwtVerify(receipt, createRemoteJWKSet(new URL(address)), {
  algorithms: ['ES256'],
  typ: 'consent-receipt+jwt',
});
console.log(JSON.stringify({ payload, protectedHeader }));
