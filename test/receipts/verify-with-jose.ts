import { createRemoteJWKSet, jwtVerify } from 'jose';

/**
 * What anybody with a receipt and the address of the keys can do: `node verify-with-jose.ts <JWKS address> <receipt>`.
 * Prints the payload. Nothing of this project is imported.
 */
const [, , address = '', receipt = ''] = process.argv;
const { payload, protectedHeader } = await jwtVerify(receipt, createRemoteJWKSet(new URL(address)), {
  algorithms: ['ES256'],
  typ: 'consent-receipt+jwt',
});
console.log(JSON.stringify({ payload, protectedHeader }));
