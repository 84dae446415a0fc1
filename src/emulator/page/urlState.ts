/** The hash of the URL holds an anchor, a section or `ramp/<session>`. The query holds the world. */

const RAMP = /^ramp\/(.+)$/;

export const currentAnchor = () => decodeURIComponent(location.hash.slice(1));

/** The ramp session that an anchor names. */
export function rampSessionOf(anchor: string): string | undefined {
  return RAMP.exec(anchor)?.[1];
}

export const rampAnchor = (id: string) => `ramp/${id}`;

export const currentWorld = () => new URLSearchParams(location.search).get('world') ?? undefined;

/** Writes the world to the URL, for reloads and bookmarks. */
export function rememberWorld(id: string, anchor: string): void {
  history.replaceState(null, '', `?world=${id}${anchor && `#${anchor}`}`);
}
