import { useCallback, useEffect, useState } from 'preact/hooks';
import { call, ControlError } from './control.js';
import type { Overview, WorldView } from './overview.js';
import { currentAnchor, currentWorld, rampSessionOf, rememberWorld } from './urlState.js';

/** Refresh interval while the page is visible. */
const REFRESH_MS = 1_000;

export interface Worlds {
  /** Undefined until the emulator has responded. */
  worlds: readonly WorldView[] | undefined;
  /** The selected world. */
  id: string | undefined;
  overview: Overview | undefined;
  anchor: string;
  choose: (id: string) => void;
  refresh: () => Promise<void>;
}

/** The emulator's worlds and the overview of the selected one. One request per interval refreshes both. */
export function useWorlds({ onSuccess, onError }: { onSuccess: () => void; onError: (error: Error) => void }): Worlds {
  const [worlds, setWorlds] = useState<readonly WorldView[]>();
  const [id, setId] = useState(rampSessionOf(currentAnchor()) === undefined ? currentWorld() : undefined);
  const [loaded, setLoaded] = useState<{ id: string; overview: Overview }>();
  const [anchor, setAnchor] = useState(currentAnchor);
  const session = rampSessionOf(anchor);

  const show = useCallback((next: string | undefined, at: string) => {
    if (next !== undefined) rememberWorld(next, at);
    setId(next);
  }, []);

  const refresh = useCallback(async () => {
    try {
      if (id === undefined) {
        const all = await listWorlds();
        const [sessionWorld] = session === undefined ? [] : await listWorlds(session);
        if (session !== undefined && !sessionWorld) onError(new Error(`No world here has the ramp session ${session}`));
        setWorlds(all);
        show((sessionWorld ?? all[0])?.id, anchor);
      } else {
        const overview = await call<Overview>(id, 'GET', `/overview${query(session)}`);
        setWorlds(overview.worlds);
        setLoaded({ id, overview });
        onSuccess();
      }
    } catch (error) {
      // The world no longer exists, because a different emulator has replaced the previous one.
      if (error instanceof ControlError && error.code === 404) setId(undefined);
      else onError(error as Error);
    }
  }, [id, session, anchor, show, onSuccess, onError]);

  useEffect(() => {
    void refresh();
    const timer = setInterval(() => {
      if (!document.hidden) void refresh();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [refresh]);

  useEffect(() => {
    const onHashChange = () => {
      setAnchor(currentAnchor());
      // The ramp session may belong to another world.
      if (rampSessionOf(currentAnchor()) !== undefined) setId(undefined);
    };
    addEventListener('hashchange', onHashChange);
    return () => removeEventListener('hashchange', onHashChange);
  }, []);

  const choose = (next: string) => {
    setAnchor('');
    show(next, '');
  };
  return { worlds, id, overview: loaded?.id === id ? loaded?.overview : undefined, anchor, choose, refresh };
}

const query = (rampSession: string | undefined) =>
  rampSession === undefined ? '' : `?rampSession=${encodeURIComponent(rampSession)}`;

async function listWorlds(rampSession?: string): Promise<WorldView[]> {
  return (await call<{ worlds: WorldView[] }>(undefined, 'GET', `/worlds${query(rampSession)}`)).worlds;
}
