// Drawn on a square of 20, in the color of the text.
const shapes = {
  play: <path d="M6 3.8v12.4a.6.6 0 0 0 .9.5l10-6.2a.6.6 0 0 0 0-1L6.9 3.3a.6.6 0 0 0-.9.5z" />,
  pause: <path d="M5 3h3.5v14H5zM11.5 3H15v14h-3.5z" />,
  back: <path d="M13.5 4 7 10l6.5 6z" />,
  forward: <path d="M6.5 4 13 10l-6.5 6z" />,
  first: <path d="M4 4h2v12H4zM16 4l-8.5 6 8.5 6z" />,
  last: <path d="M14 4h2v12h-2zM4 4l8.5 6L4 16z" />,
  moon: <path d="M16.5 12.3A7 7 0 0 1 7.7 3.5a7 7 0 1 0 8.8 8.8z" />,
  sun: (
    <>
      <circle cx="10" cy="10" r="3.6" />
      <path d="M10 1v3M10 16v3M1 10h3M16 10h3M3.6 3.6l2.1 2.1M14.3 14.3l2.1 2.1M3.6 16.4l2.1-2.1M14.3 5.7l2.1-2.1" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" />
    </>
  ),
};

export function Icon({ name }: { name: keyof typeof shapes }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" fill="currentColor" aria-hidden="true">
      {shapes[name]}
    </svg>
  );
}
