import { createInterface } from 'node:readline/promises';

/** Whether the expected word was typed. No answer, for example without a terminal, means no. */
export async function isTyped(question: string, expected: string): Promise<boolean> {
  const asked = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const typed = await Promise.race([
      asked.question(question),
      new Promise<string>((resolve) => asked.once('close', () => resolve(''))),
    ]);
    return typed.trim() === expected;
  } finally {
    asked.close();
  }
}
