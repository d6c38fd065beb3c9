/** What the commands of the local stage read from the shell. */

type Variables = Readonly<Record<string, string | undefined>>;

export function stageSettings(variables: Variables) {
  const { HOST: host = '127.0.0.1', DATA_DIR: dataDir, DYNAMODB_ENDPOINT: dynamoEndpoint } = variables;
  return { port: portOf(variables), host, dataDir: dataDir || undefined, dynamoEndpoint: dynamoEndpoint || undefined };
}

/** @throws an Error in one sentence. */
export function portOf({ PORT = '3000' }: Variables): number {
  const port = Number(PORT);
  if (!/^\d+$/.test(PORT) || port > 65_535) throw new Error(`PORT must be 0 to 65535, not ${JSON.stringify(PORT)}`);
  return port;
}
