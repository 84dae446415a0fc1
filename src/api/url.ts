const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function parseUrl(text: string, base?: string): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined;
}

/** Whether a URL or origin is on this machine. False for a string that is not a URL. */
export function isLoopback(url: string | URL): boolean {
  const parsed = typeof url === 'string' ? parseUrl(url) : url;
  return parsed !== undefined && LOOPBACK.test(parsed.hostname);
}
