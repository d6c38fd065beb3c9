import { randomUUID } from 'node:crypto';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { DeleteCommand, GetCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { claimsOf, type ReceiptClaims } from '../../functions/receipts/rules/receipt.ts';
import { receiptType } from '../../functions/receipts/rules/signed-types.ts';
import { signCompact } from '../../lib/runtime/sign.ts';
import { eventually } from '../eventually.ts';
import type { AttackedStage } from './attacked-stage.ts';
import { receiptOfSomebody } from './receipt-of-somebody.ts';

/** Receipts as they are stored, attacked with the rights of the functions that write their table. */

export function attackStoredReceipts(attacked: AttackedStage): void {
  const signing = ['sign-receipt'] as const;
  const denied = 'not authorized';

  const verify = async (receipt: string) => {
    const call = await attacked.caller(randomUUID());
    return (await call('POST', '/agreements/receipts/verify', { receipt })).body;
  };

  /** What the watcher laid of the last change that it found. */
  async function changeLaid(suspicion: string) {
    const line =
      attacked.log.find((one) => one.includes('storedReceiptsTamperedWith') && one.includes(suspicion)) ?? '';
    const { object, storedReceiptsTamperedWith } = JSON.parse(line.slice(line.indexOf('{')));
    expect(storedReceiptsTamperedWith).toBe(1);
    const { Body } = await attacked.owner().s3.send(new GetObjectCommand({ Bucket: attacked.bucket(), Key: object }));
    return JSON.parse((await Body?.transformToString()) ?? '').changes[0];
  }

  test.each(signing)('%s gives a stored receipt no expiry, changes none and deletes none', async (operation) => {
    const { receipt, Key, ask } = await receiptOfSomebody(attacked);
    const TableName = attacked.table('ConsentReceipts');
    const { dynamo } = attacked.as(operation);
    const { Item } = await attacked.owner().dynamo.send(new GetCommand({ TableName, Key }));
    const put = (more: object) =>
      dynamo.send(new TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item: { ...Item, ...more } } }] }));
    await expect(put({ expiresAt: 1_700_000_000 })).rejects.toThrow(denied);
    await expect(put({ anything: 1 })).rejects.toThrow(denied);
    const UpdateExpression = 'SET receipt = :x';
    const change = { TableName, Key, UpdateExpression, ExpressionAttributeValues: { ':x': 'x' } };
    await expect(dynamo.send(new UpdateCommand(change))).rejects.toThrow(denied);
    await expect(dynamo.send(new DeleteCommand({ TableName, Key }))).rejects.toThrow(denied);
    await expect(dynamo.send(new PutCommand({ TableName, Item: { ...Item } }))).rejects.toThrow(denied);
    expect((await ask()).body.receipt).toBe(receipt);
    // No policy sees a condition. What is put over it in a transaction is found at once, answered to nobody, and the user's own still verifies.
    attacked.log.length = 0;
    attacked.told.length = 0;
    await put({ receipt: 'x' });
    await eventually(() => expect(attacked.told.join()).toContain('changed'));
    expect(await changeLaid('changed')).toMatchObject({ before: Item, after: { ...Item, receipt: 'x' } });
    attacked.log.length = 0;
    expect((await ask()).status).toBe(500);
    expect(attacked.log.join()).toContain('ReceiptMismatch');
    expect(await verify(receipt)).toMatchObject({ valid: true });
  });

  test('the role that releases sets the expiry of a stored receipt, and nothing else', async () => {
    const { Key, ask, receipt } = await receiptOfSomebody(attacked);
    const TableName = attacked.table('ConsentReceipts');
    const { dynamo } = attacked.as('release-consents');
    const set = (UpdateExpression: string, value: unknown) =>
      dynamo.send(
        new UpdateCommand({ TableName, Key, UpdateExpression, ExpressionAttributeValues: { ':value': value } }),
      );
    await expect(set('SET receipt = :value', 'x')).rejects.toThrow(denied);
    const row = { TableName, Item: { ...Key, receipt: 'x' } };
    await expect(dynamo.send(new PutCommand(row))).rejects.toThrow(denied);
    await expect(dynamo.send(new TransactWriteCommand({ TransactItems: [{ Put: row }] }))).rejects.toThrow(denied);
    await expect(dynamo.send(new DeleteCommand({ TableName, Key }))).rejects.toThrow(denied);
    attacked.told.length = 0;
    await set('SET expiresAt = :value', 4_000_000_000);
    expect((await ask()).body.receipt).toBe(receipt);
    // No tombstone releases the record.
    await eventually(() => expect(attacked.told.join()).toContain('expires-unreleased'));
    attacked.told.length = 0;
    const planted = { TableName, Key: { ...Key, recordedAt: '2999-01-01T00:00:00.000Z' } };
    const UpdateExpression = 'SET expiresAt = :value';
    await dynamo.send(
      new UpdateCommand({ ...planted, UpdateExpression, ExpressionAttributeValues: { ':value': 4_000_000_000 } }),
    );
    await eventually(() => expect(attacked.told.join()).toContain('not-a-receipt'));
  });

  const textOf = (claims: ReceiptClaims, privacyNotice: object) => {
    const { consent } = claims;
    return { ...claims, consent: { ...consent, privacyNotice: { ...consent.privacyNotice, ...privacyNotice } } };
  };
  test.each<[string, number, (claims: ReceiptClaims, sign: (claims: object) => Promise<string>) => Promise<string>]>([
    ['with other claims about its record', 500, async (claims, sign) => sign({ ...claims, sub: randomUUID() })],
    ['of another signature', 500, async (claims, sign) => (await sign(claims)).replace(/[^.]+$/, 'A'.repeat(86))],
    // Who answers a receipt reads no catalogue.
    ['of another title', 200, async (claims, sign) => sign(textOf(claims, { title: 'X', url: 'https://x.example' }))],
  ])('a receipt %s, planted where the record has none yet, is found within a minute', async (_what, status, forge) => {
    const userId = randomUUID();
    const call = await attacked.caller(userId);
    expect((await call('POST', '/agreements/versions/marketing-1.0/agree')).status).toBe(200);
    const [{ recordedAt }] = (await call('GET', '/users/agreements/marketing/history')).body.items;
    const Key = { userAgreement: `${userId}#marketing`, recordedAt };
    const found = await attacked
      .owner()
      .dynamo.send(new GetCommand({ TableName: attacked.table('ConsentRecords'), Key }));
    const { userAgreement: _key, ...record } = found.Item as ConsentRecord & { userAgreement: string };
    const { dynamo, kms } = attacked.as('sign-receipt');
    const at = { environment: 'dev', application: 'sleepcare', issuedAt: new Date(), content: null };
    const arn = attacked.output('ReceiptKeyArn');
    const receipt = await forge(claimsOf(record, at), (claims) => signCompact(kms, arn, claims, receiptType));
    const made = { receiptId: record.recordId, issuedAt: at.issuedAt.toISOString(), receipt };
    const Put = { TableName: attacked.table('ConsentReceipts'), Item: { ...Key, ...made } };
    attacked.told.length = 0;
    attacked.log.length = 0;
    await dynamo.send(new TransactWriteCommand({ TransactItems: [{ Put }] }));
    await eventually(() => expect(attacked.told.join()).toContain('forged'));
    expect(await changeLaid('forged')).toMatchObject({ before: null, ...Key });
    expect((await call('GET', '/users/agreements/marketing/receipt')).status).toBe(status);
  });
}
