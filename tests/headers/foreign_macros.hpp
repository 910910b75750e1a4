// Lower-case macros, and short ones, of headers that programs include before ours. A user cannot
// rename them, so no public header may use such a word. Not here: <asio/yield.hpp> (`fork`,
// `yield`), which Asio wants to be the last include of a source; <curses.h> (`move`, `erase`,
// `clear`), which takes those back in C++.
#pragma once

// Qt 5 and 6, <QtCore/qobjectdefs.h>, <QtCore/qtmetamacros.h>, <QtCore/qforeach.h>
#define slots
#define signals public
#define emit
#define foreach(variable, container) for (variable : container)
#define forever for (;;)
#define Q_SLOTS
#define Q_SIGNALS public
#define Q_EMIT
#define Q_OBJECT
#define Q_INVOKABLE
#define Q_UNUSED(x) (void)x;
#define Q_FOREACH(variable, container) for (variable : container)
#define Q_FOREVER for (;;)

// Windows: <windef.h>, <rpcndr.h>, <combaseapi.h>, <wingdi.h>, <winnt.h>, <winbase.h>
#define near
#define far
#define NEAR
#define FAR
#define pascal
#define cdecl
#define small char
#define hyper long long
#define interface struct
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define IN
#define OUT
#define OPTIONAL
#define CONST const
#define VOID void
#define PURE = 0
#define THIS void
#define CALLBACK
#define TRUE 1
#define FALSE 0
#define ERROR 0
#define NO_ERROR 0L
#define IGNORE 0
#define INFINITE 0xFFFFFFFF
#define DELETE (0x00010000L)
#define ABSOLUTE 1
#define RELATIVE 2
#define STRICT 1
#define Yield()
#define GetCurrentTime() 0

// X11: <X11/X.h>, <X11/Xlib.h>, <X11/Xutil.h>; <X11/Xlibint.h> has `min` and `max`, too
#define None 0L
#define Bool int
#define Status int
#define True 1
#define False 0
#define Always 2
#define Success 0
#define Above 0
#define Below 1
#define Complex 0
#define Convex 2
#define Unsorted 0
#define Expose 12
#define KeyPress 2
#define FocusIn 9
#define CursorShape 0
#define ParentRelative 1L
#define DestroyAll 0
#define AllValues 0x000F
#define RectangleOut 0

// GLib, <glib/gmacros.h>; <sys/param.h> has MIN and MAX, too
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#define ABS(a) (((a) < 0) ? -(a) : (a))
#define CLAMP(x, low, high) (((x) > (high)) ? (high) : (((x) < (low)) ? (low) : (x)))

// <curses.h> and <term.h>
#define timeout(delay) wtimeout(stdscr, (delay))
#define scroll(window) wscrl(window, 1)
#define getch() wgetch(stdscr)
#define addch(c) waddch(stdscr, (c))
#define insch(c) winsch(stdscr, (c))
#define columns CUR Numbers[0]
#define lines CUR Numbers[2]
#define tab CUR Strings[134]
#define bell CUR Strings[1]

// glibc: <sys/sysmacros.h>, <sys/param.h>, <termios.h>; the compilers themselves with -std=gnu++20
// (`linux`, `unix`)
#define major(device) gnu_dev_major(device)
#define minor(device) gnu_dev_minor(device)
#define isset(a, i) ((a)[(i) / 8] & (1 << ((i) % 8)))
#define roundup(x, y) ((((x) + ((y)-1)) / (y)) * (y))
#define B0 0000000
#define ECHO 0000010
#undef linux
#undef unix
#define linux 1
#define unix 1

// The Linux kernel, PostgreSQL, Tcl and many programs
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define panic Tcl_Panic
#define Min(x, y) ((x) < (y) ? (x) : (y))
#define Max(x, y) ((x) > (y) ? (x) : (y))
#define Assert(condition) ((void)(condition))

// R, <Rinternals.h> and <R_ext/RS.h>; GoogleTest, glog and Catch2
#define length Rf_length
#define Calloc(n, t) (t*)R_chk_calloc((n), sizeof(t))
#define Free(p) (R_chk_free((void*)(p)), (p) = NULL)
#define TEST(suite, name) void suite##name()
#define CHECK(condition) ((void)(condition))
#define DCHECK(condition) ((void)(condition))
#define LOG(severity) std::clog
#define FAIL() return
#define SUCCEED()
#define REQUIRE(condition) ((void)(condition))
#define SECTION(name) if (true)
