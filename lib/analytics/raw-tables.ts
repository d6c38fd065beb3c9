import { type ExportedTable, rawName } from './views.ts';

/**
 * Athena's table over the files of an export: a row for each item, its JSON as text. A character that JSON never has unescaped
 * parts the columns, of which there is one.
 *
 * @param location `s3://bucket/prefix/AWSDynamoDB/<exportId>/data/`
 * @returns statements to be run one after the other: Athena takes one at a time
 */
export function rawStatements(table: ExportedTable, location: string): string[] {
  if (!/^s3:\/\/[A-Za-z0-9./_-]+\/$/.test(location)) throw new Error(`${location} is no folder of a bucket`);
  const name = rawName(table);
  return [
    `DROP TABLE IF EXISTS ${name}`,
    `CREATE EXTERNAL TABLE ${name} (line string)\nROW FORMAT DELIMITED FIELDS TERMINATED BY '\\001'\nSTORED AS TEXTFILE\nLOCATION '${location}'`,
  ];
}
