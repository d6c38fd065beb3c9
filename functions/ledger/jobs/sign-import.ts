import type { KMSClient } from '@aws-sdk/client-kms';
import { type Objects, putOnce } from '../../../lib/runtime/objects.ts';
import { signCompact } from '../../../lib/runtime/sign.ts';
import { importedKey, manifestKey, manifestType } from '../rules/checkpoint.ts';
import { type Leaf, leafText } from '../rules/leaf.ts';
import type { Manifest } from '../rules/manifest.ts';
import { merkleRoot } from '../rules/merkle.ts';
import { packLeaves } from '../stores/evidence.ts';

export type ImportSigning = {
  readonly evidence: Objects;
  readonly kms: KMSClient;
  /** `ImportKey`, with the operator's own credentials. */
  readonly keyArn: string;
  readonly environment: string;
  readonly by: string;
  readonly now: () => Date;
  readonly mostLeaves?: number;
};

/** Records of one manifest: if an import is killed, its earlier manifests are signed, and the next run signs the rest. */
const defaultMostLeaves = 100_000;

/**
 * Collects the records of an import, and signs a manifest for them: it stores first the list of records, then the
 * statement. Repeatable: existing records of another run are signed again.
 */
export function openManifest({ mostLeaves = defaultMostLeaves, ...signing }: ImportSigning) {
  let leaves: Leaf[] = [];
  let signed = 0;
  const flush = async () => {
    if (leaves.length === 0) return;
    const texts = leaves.map(leafText);
    leaves = [];
    const root = merkleRoot(texts);
    const { evidence, kms, keyArn, environment, by, now } = signing;
    const manifest: Manifest = { environment, root, count: texts.length, by, at: now().toISOString() };
    await putOnce(evidence, importedKey(root), packLeaves(texts));
    await putOnce(evidence, manifestKey(root), await signCompact(kms, keyArn, manifest, manifestType));
    signed += texts.length;
  };
  return {
    add: async (leaf: Leaf) => {
      leaves.push(leaf);
      if (leaves.length >= mostLeaves) await flush();
    },
    /** @returns how many records are signed */
    close: async () => {
      await flush();
      return signed;
    },
  };
}
