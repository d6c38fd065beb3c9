/** The settings that the commands of the local stage read from the shell. */

type Variables = Readonly<Record<string, string | undefined>>;

export function stageSettings(variables: Variables) {
  const { HOST: host = '127.0.0.1', DATA_DIR, DYNAMODB_ENDPOINT, SNS_ENDPOINT, SES_ENDPOINT } = variables;
  return {
    port: portOf(variables),
    host,
    dataDir: DATA_DIR || undefined,
    dynamoEndpoint: DYNAMODB_ENDPOINT || undefined,
    snsEndpoint: SNS_ENDPOINT || undefined,
    sesEndpoint: SES_ENDPOINT || undefined,
  };
}

/** @throws an Error in one sentence. */
export function portOf({ PORT = '3000' }: Variables): number {
  const port = Number(PORT);
  if (!/^\d+$/.test(PORT) || port > 65_535) throw new Error(`PORT must be 0 to 65535, not ${JSON.stringify(PORT)}`);
  return port;
}
