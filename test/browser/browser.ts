import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Usual paths on Linux and macOS. `CHROMIUM_PATH` takes precedence. */
const PATHS = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export function launch(): Promise<Browser> {
  const executablePath = PATHS.find((path) => path && existsSync(path));
  if (executablePath === undefined) throw new Error('No Chromium is installed; install it, or set CHROMIUM_PATH');
  return chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
}
