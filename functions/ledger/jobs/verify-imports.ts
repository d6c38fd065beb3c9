import { listVersions, type Objects, readObject } from '../../../lib/runtime/objects.ts';
import { readSigned, type TrustedKeys } from '../../../lib/runtime/signed.ts';
import { manifestKey, manifestsPrefix, manifestType } from '../rules/checkpoint.ts';
import type { Finding } from '../rules/finding.ts';
import { type Leaf, readLeaf } from '../rules/leaf.ts';
import { type Manifest, readManifest } from '../rules/manifest.ts';
import { readImported } from '../stores/evidence.ts';

type Reading = {
  readonly evidence: Objects;
  readonly keys: TrustedKeys;
  readonly environment: string;
  readonly found: (finding: Finding) => void;
  /** A record that a manifest names. */
  readonly onLeaf: (leaf: Leaf) => void;
};

/** The imports that operators signed. Any other object there is reported, and proves nothing. */
export async function readManifests({ evidence, keys, environment, found, onLeaf }: Reading): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for await (const { key, versions } of listVersions(evidence, manifestsPrefix)) {
    const [oldest] = versions;
    if (!key.endsWith('.jws') || !oldest) continue;
    const text = (await readObject(evidence, key, { versionId: oldest.id }))?.toString('utf8') ?? '';
    const manifest = readManifest(readSigned(text, manifestType, keys)?.payload ?? {});
    const texts = manifest && (await readImported(evidence, manifest.root));
    const isIt = manifest?.environment === environment && key === manifestKey(manifest.root);
    if (!manifest || !isIt || texts?.length !== manifest.count) {
      const says = `${key}: it is not an import manifest that a trusted key has signed, or what it names is missing`;
      found({ kind: 'import-invalid', userId: null, agreementId: null, recordedAt: null, sequence: null, says });
      continue;
    }
    for (const leaf of texts.map(readLeaf)) onLeaf(leaf);
    manifests.push(manifest);
  }
  return manifests;
}
