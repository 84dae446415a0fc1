import { useCallback, useEffect, useState } from 'preact/hooks';
import { ControlError, call } from './control.js';
import type { Overview, WorldView } from './overview.js';
import { placeNow, rampSessionOf, rememberWorld, worldNow } from './place.js';

/** How often the page looks at the world while somebody looks at the page. */
const REFRESH_MS = 1_000;

export interface Worlds {
  /** Undefined until the emulator has answered. */
  worlds: readonly WorldView[] | undefined;
  /** The world that is shown. */
  id: string | undefined;
  overview: Overview | undefined;
  place: string;
  choose: (id: string) => void;
  refresh: () => Promise<void>;
}

/** The emulator's worlds and the one that is shown, looked at again and again: by one request. */
export function useWorlds({ good, bad }: { good: () => void; bad: (error: Error) => void }): Worlds {
  const [worlds, setWorlds] = useState<readonly WorldView[]>();
  const [id, setId] = useState(rampSessionOf(placeNow()) === undefined ? worldNow() : undefined);
  const [seen, setSeen] = useState<{ id: string; overview: Overview }>();
  const [place, setPlace] = useState(placeNow);
  const session = rampSessionOf(place);

  const show = useCallback((next: string | undefined, at: string) => {
    if (next !== undefined) rememberWorld(next, at);
    setId(next);
  }, []);

  const refresh = useCallback(async () => {
    try {
      if (id === undefined) {
        const all = await listWorlds();
        const [home] = session === undefined ? [] : await listWorlds(session);
        if (session !== undefined && !home) bad(new Error(`No world here has the ramp session ${session}`));
        setWorlds(all);
        show((home ?? all[0])?.id, place);
      } else {
        const overview = await call<Overview>(id, 'GET', `/overview${query(session)}`);
        setWorlds(overview.worlds);
        setSeen({ id, overview });
        good();
      }
    } catch (error) {
      // The world is gone: another emulator has come in place of the one before.
      if (error instanceof ControlError && error.code === 404) setId(undefined);
      else bad(error as Error);
    }
  }, [id, session, place, show, good, bad]);

  useEffect(() => {
    void refresh();
    const timer = setInterval(() => {
      if (!document.hidden) void refresh();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [refresh]);

  useEffect(() => {
    const follow = () => {
      setPlace(placeNow());
      // Its world may be another.
      if (rampSessionOf(placeNow()) !== undefined) setId(undefined);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);

  const choose = (next: string) => {
    setPlace('');
    show(next, '');
  };
  return { worlds, id, overview: seen?.id === id ? seen?.overview : undefined, place, choose, refresh };
}

const query = (rampSession: string | undefined) =>
  rampSession === undefined ? '' : `?rampSession=${encodeURIComponent(rampSession)}`;

async function listWorlds(rampSession?: string): Promise<WorldView[]> {
  return (await call<{ worlds: WorldView[] }>(undefined, 'GET', `/worlds${query(rampSession)}`)).worlds;
}
