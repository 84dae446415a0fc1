/** The hash names a place on the page, a section or `ramp/<session>`; the query names the world. */

const RAMP = /^ramp\/(.+)$/;

export const placeNow = () => decodeURIComponent(location.hash.slice(1));

/** The ramp session that a place is. */
export function rampSessionOf(place: string): string | undefined {
  return RAMP.exec(place)?.[1];
}

export const rampPlace = (id: string) => `ramp/${id}`;

export const worldNow = () => new URLSearchParams(location.search).get('world') ?? undefined;

/** Keeps the world in the address, for a reload or a bookmark. */
export function rememberWorld(id: string, place: string): void {
  history.replaceState(null, '', `?world=${id}${place && `#${place}`}`);
}
