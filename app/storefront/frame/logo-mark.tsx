/** The logo from `assets/logo/logo-mark.svg`, in the current text colour. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg className={className} viewBox="0 0 24 24" width={32} height={32} fill="currentColor" aria-hidden>
      <path
        fillRule="evenodd"
        d="M1.6 8.1 3.9 2.6C9.6 2.3 15.6 5 20.5 10.6c.5.6-.1 1.4-.8 1.1C13.5 9.7 7.4 10.6 1.6 8.1ZM6.9 4.7a1.35 1.35 0 1 0 0 2.7 1.35 1.35 0 0 0 0-2.7Z"
      />
      <path
        fillRule="evenodd"
        d="M21.7 10.95a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 0 1 0-2.6Zm0 .85a.45.45 0 1 0 0 .9.45.45 0 0 0 0-.9Z"
      />
      <path d="M1 16.3c2.7 0 3.5-2.6 6.6-2.6 3.3 0 3.7 3.1 6.7 3.1 2.4 0 3.3-1.9 5.9-1.9 1.2 0 2.1.35 2.8.85v2.45c-.8-.7-1.6-1.15-2.8-1.15-2.3 0-3.3 1.95-6 1.95-3.6 0-4-3.2-6.6-3.2-2.3 0-3.1 2.7-6.6 2.7Z" />
      <path d="M1 20.2c2.7 0 3.7-1.6 6.5-1.6 3 0 3.8 2 6.8 2 2.5 0 3.3-1.3 5.9-1.3 1.2 0 2.1.3 2.8.75v1.95c-.8-.55-1.6-.85-2.8-.85-2.3 0-3.3 1.3-6 1.3-3.4 0-4-2-6.6-2-2.3 0-3.3 1.7-6.6 1.7Z" />
    </svg>
  )
}
